/// Every request of a result: columns, conditions, order.
@org.jspecify.annotations.NullMarked
package org.inferometer.report.requests;
