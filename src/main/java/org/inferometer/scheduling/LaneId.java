package org.inferometer.scheduling;

/// Numbers a lane, from 0.
public record LaneId(int index) {}
