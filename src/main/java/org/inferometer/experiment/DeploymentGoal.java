package org.inferometer.experiment;

/// What a deployment is judged by: how well each request must be served, and what an hour of the machine costs.
///
/// @param pricePerHour in any one currency; 0 where it is not known
public record DeploymentGoal(ServiceObjective objective, double pricePerHour) {
    /// Nothing is asked for.
    public static final DeploymentGoal NONE = new DeploymentGoal(ServiceObjective.NONE, 0);

    /// @throws IllegalArgumentException when the price is negative or no number
    public DeploymentGoal {
        if (!(pricePerHour >= 0 && pricePerHour <= 1e9)) {
            throw new IllegalArgumentException(
                    "A price an hour of " + pricePerHour + " is none; write a number from 0.");
        }
    }
}
