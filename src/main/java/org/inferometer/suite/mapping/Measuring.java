package org.inferometer.suite.mapping;

/// How tests are measured.
///
/// @param runs repetitions of each load
/// @param warmUp requests before measuring starts
/// @param seed source of every random draw
public record Measuring(int runs, int warmUp, long seed) {}
