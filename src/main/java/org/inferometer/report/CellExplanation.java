package org.inferometer.report;

/// The explanation of a cell's figures by its scheduler.
///
/// @param cellIndex index of the cell in its experiment
/// @param cellLabel its label among the cells of the experiment
/// @param scheduler with its options
/// @param whenItWins the load that suits the policy, from the registry; empty for an unknown scheduler
/// @param seen the insights, or a sentence that there are none
public record CellExplanation(int cellIndex, String cellLabel, String scheduler, String whenItWins, String seen) {}
