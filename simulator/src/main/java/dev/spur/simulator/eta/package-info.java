/**
 * ETA forecasts. A state is simulated into the future several times, each time with other job lengths and arrivals. The
 * quantiles of the simulated times are the forecast.
 */
@NullMarked
package dev.spur.simulator.eta;

import org.jspecify.annotations.NullMarked;
