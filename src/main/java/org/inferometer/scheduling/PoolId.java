package org.inferometer.scheduling;

/// Numbers a pool of KV blocks, from 0.
public record PoolId(int index) {}
