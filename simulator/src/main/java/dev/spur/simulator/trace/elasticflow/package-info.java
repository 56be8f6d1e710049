/**
 * Traces of the ElasticFlow simulator: elastic jobs with deadlines, with measured speeds by batch size and number of
 * accelerators.
 */
@NullMarked
package dev.spur.simulator.trace.elasticflow;

import org.jspecify.annotations.NullMarked;
