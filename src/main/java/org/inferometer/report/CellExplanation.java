package org.inferometer.report;

/// What a result shows of its scheduler, in sentences that its record supports.
///
/// @param cellIndex index of the cell in its experiment
/// @param cellLabel what tells the cell apart from the others of its experiment
/// @param scheduler as it was chosen, with its options
/// @param whenItWins the load for which the policy is made, as the registry says; empty for a scheduler that it does not know
/// @param seen what stood out, or that nothing did
public record CellExplanation(int cellIndex, String cellLabel, String scheduler, String whenItWins, String seen) {}
