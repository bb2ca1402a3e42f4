/// The Devices view: what computes here, how it is doing, and whether it is fit to be measured on.
@org.jspecify.annotations.NullMarked
package org.inferometer.ui.devices;
