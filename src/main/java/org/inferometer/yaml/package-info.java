/// YAML and JSON files that people write: values with their lines, read key by key, all faults collected.
@org.jspecify.annotations.NullMarked
package org.inferometer.yaml;
