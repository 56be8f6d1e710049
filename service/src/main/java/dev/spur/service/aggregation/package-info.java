/** What aggregators really do: what their executors report of it, what rounds learn from that, and how it is shown. */
@NullMarked
package dev.spur.service.aggregation;

import org.jspecify.annotations.NullMarked;
