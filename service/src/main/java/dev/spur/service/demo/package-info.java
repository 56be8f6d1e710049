/**
 * Demo with a synthetic cluster, synthetic jobs and a simulated executor. It uses only the public API. No other package
 * may depend on it.
 */
@NullMarked
package dev.spur.service.demo;

import org.jspecify.annotations.NullMarked;
