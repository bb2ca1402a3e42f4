package org.inferometer.execution;

import org.inferometer.scheduling.PoolId;

/// A copy of a request's keys and values from one pool to another.
///
/// @param number counts with the steps of the engine
/// @param fromBlocks `[blocks]` source block ids, in order of positions
/// @param toBlocks `[≥ blocks]` target block ids, in order of positions; further blocks stay empty
/// @param positions positions to copy
public record KvTransfer(long number, PoolId from, int[] fromBlocks, PoolId to, int[] toBlocks,
        int positions) implements LaneJob {}
