/// The Suites view: folders of experiments and test configurations, checked and run.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.suites;
