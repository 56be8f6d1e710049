/** Measured aggregation load: reports of executors, learning from them, and views. */
@NullMarked
package dev.spur.service.aggregation;

import org.jspecify.annotations.NullMarked;
