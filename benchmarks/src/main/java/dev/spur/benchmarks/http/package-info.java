/**
 * Benchmarks of a running service: a separate service process, and clients that load it over HTTP. Service, database
 * and clients share one machine, so the results include the cost of the clients.
 */
@NullMarked
package dev.spur.benchmarks.http;

import org.jspecify.annotations.NullMarked;
