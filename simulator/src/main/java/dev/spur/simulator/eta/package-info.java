/**
 * What may become of the jobs of a state: the state is replayed into the future several times, each time with other
 * lengths and other arrivals, and the quantiles of what happens are the forecast.
 */
@NullMarked
package dev.spur.simulator.eta;

import org.jspecify.annotations.NullMarked;
