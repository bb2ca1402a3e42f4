/// Experiments on other machines, through the system's ssh.
@org.jspecify.annotations.NullMarked
package org.inferometer.remote;
