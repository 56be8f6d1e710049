/** Data preparations that have not ended, as rounds and executors use them, and their resources. */
@NullMarked
package dev.spur.service.dataprep;

import org.jspecify.annotations.NullMarked;
