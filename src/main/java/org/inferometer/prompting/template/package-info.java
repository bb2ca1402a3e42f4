/// Chat templates: the part of Jinja that published models use, without access to anything but the given values.
@org.jspecify.annotations.NullMarked
package org.inferometer.prompting.template;
