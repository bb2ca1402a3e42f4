package org.inferometer.execution.backend;

/// How much an agreement check computes.
///
/// @param odd on models whose widths are no multiples of vectors or tiles
/// @param wide on models wide enough for every tile of a product
/// @param vocabulary of the model for the sampling check
/// @param sampledSteps steps of the sampling check
public record AgreementLoad(AgreementExtent odd, AgreementExtent wide, int vocabulary, int sampledSteps) {}
