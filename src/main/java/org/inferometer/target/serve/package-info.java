/// Servers that Inferometer starts itself: recipes, their options and the command line.
@org.jspecify.annotations.NullMarked
package org.inferometer.target.serve;
