/// Building of engines: recipes, the catalogue of engine folders, synthetic weights, quantisers and the builder.
@org.jspecify.annotations.NullMarked
package org.inferometer.engine.build;
