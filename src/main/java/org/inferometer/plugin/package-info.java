/// Jars of users that add schedulers.
@NullMarked
package org.inferometer.plugin;

import org.jspecify.annotations.NullMarked;
