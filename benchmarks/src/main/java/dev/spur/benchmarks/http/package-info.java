/**
 * Measuring a running service from outside: a service process of its own, and clients that load it over HTTP. Service,
 * database and clients share the machine, so figures are what is left after the clients have taken their part.
 */
@NullMarked
package dev.spur.benchmarks.http;

import org.jspecify.annotations.NullMarked;
