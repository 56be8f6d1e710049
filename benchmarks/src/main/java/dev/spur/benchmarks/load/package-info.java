/**
 * Load of a running service: a separate service process, and clients that load it over HTTP, as fast as it responds or
 * as a site would. Service, database and clients share one machine, so the results include the cost of the clients.
 */
@NullMarked
package dev.spur.benchmarks.load;

import org.jspecify.annotations.NullMarked;
