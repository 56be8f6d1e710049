/**
 * Traces of the simulator of ElasticFlow: elastic jobs with deadlines, whose speed by batch size and accelerators was
 * measured.
 */
@NullMarked
package dev.spur.simulator.trace.elasticflow;

import org.jspecify.annotations.NullMarked;
