/**
 * How fast a job would learn in a given configuration: throughput, statistical efficiency, and their product, goodput.
 */
@NullMarked
package dev.spur.model.performance;

import org.jspecify.annotations.NullMarked;
