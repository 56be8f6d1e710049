/** The predicted training speed in a configuration: throughput, statistical efficiency, and their product, goodput. */
@NullMarked
package dev.spur.model.performance;

import org.jspecify.annotations.NullMarked;
