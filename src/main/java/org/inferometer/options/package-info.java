/// How a choice with settings (a scheduler, a backend) is described once and read everywhere: name, default, range, help.
@org.jspecify.annotations.NullMarked
package org.inferometer.options;
