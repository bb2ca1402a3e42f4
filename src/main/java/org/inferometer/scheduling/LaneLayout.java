package org.inferometer.scheduling;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.stream.IntStream;

/// The lanes that a scheduler needs, and the shares of the KV memory of their pools.
///
/// @param lanes by index
/// @param poolShares share of the KV memory per pool, by index; their sum is 1
public record LaneLayout(@JsonProperty("lanes") List<Lane> lanes, @JsonProperty("poolShares") List<Double> poolShares) {
    private static final double ROUNDING = 1e-9;

    /// @throws IllegalArgumentException if lanes and pools do not match
    public LaneLayout {
        lanes = List.copyOf(lanes);
        poolShares = List.copyOf(poolShares);
        require(!lanes.isEmpty(), "A layout needs at least one lane.");
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            require(lane.id().index() == i, "Lane " + lane.id().index() + " is at index " + i + ".");
            require(lane.pool().index() >= 0 && lane.pool().index() < poolShares.size(),
                    "Lane " + i + " uses KV pool " + lane.pool().index() + ", which does not exist.");
        }
        double sum = 0;
        for (double share : poolShares) {
            require(share > 0, "Each KV pool needs a positive share of the memory.");
            sum += share;
        }
        require(Math.abs(sum - 1) < ROUNDING, "The shares of the KV pools sum to " + sum + ", not to 1.");
    }

    /// Lanes for any work on one pool.
    public static LaneLayout sharing(int lanes) {
        return sharing(lanes, 0);
    }

    /// Lanes for any work on one pool, with a priority.
    public static LaneLayout sharing(int lanes, int priority) {
        PoolId pool = new PoolId(0);
        return new LaneLayout(IntStream.range(0, lanes)
                .mapToObj(i -> new Lane(new LaneId(i), Lane.Role.ANY, pool, priority)).toList(), List.of(1.0));
    }

    /// Number of lanes that compute, without transfer lanes.
    public int computingLanes() {
        return (int) lanes.stream().filter(lane -> lane.role() != Lane.Role.TRANSFER).count();
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(sentence);
        }
    }
}
