/// Records to HTML, Markdown, text, CSV and JSON documents.
@org.jspecify.annotations.NullMarked
package org.inferometer.report.document;
