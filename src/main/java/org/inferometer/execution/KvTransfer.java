package org.inferometer.execution;

import org.inferometer.scheduling.PoolId;

/// Keys and values of one request on their way from one pool to another.
///
/// @param number counts with the steps of the engine
/// @param fromBlocks `[blocks]` block ids in the pool they leave, in order of positions
/// @param toBlocks `[≥ blocks]` block ids in the pool they go to, in order of positions; blocks beyond those needed stay empty
/// @param positions positions to copy
public record KvTransfer(long number, PoolId from, int[] fromBlocks, PoolId to, int[] toBlocks,
        int positions) implements LaneJob {}
