package org.inferometer.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Limits that each request must meet, and the price of the machine.
///
/// @param pricePerHour in any one currency; 0 where it is not known
public record DeploymentGoal(@JsonProperty("objective") ServiceObjective objective,
        @JsonProperty("pricePerHour") double pricePerHour) {
    /// No limits and no price.
    public static final DeploymentGoal NONE = new DeploymentGoal(ServiceObjective.NONE, 0);

    /// @throws IllegalArgumentException when the price is negative or not a number
    public DeploymentGoal {
        if (!(pricePerHour >= 0 && pricePerHour <= 1e9)) {
            throw new IllegalArgumentException(
                    "A price per hour of " + pricePerHour + " is not a price. Write a number from 0.");
        }
    }
}
