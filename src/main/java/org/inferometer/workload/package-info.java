/// What is asked, and when: shapes, arrivals and prompts become requests that are drawn before the run.
@org.jspecify.annotations.NullMarked
package org.inferometer.workload;
