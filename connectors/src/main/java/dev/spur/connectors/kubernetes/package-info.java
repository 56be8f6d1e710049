/**
 * Kubernetes. Jobs are gated by the switch that suspends them and placed by node affinity; what kinds of jobs there are
 * is a table ({@link dev.spur.connectors.kubernetes.WorkloadKinds}). Nothing is kept between two calls, and nothing is
 * watched.
 */
@NullMarked
package dev.spur.connectors.kubernetes;

import org.jspecify.annotations.NullMarked;
