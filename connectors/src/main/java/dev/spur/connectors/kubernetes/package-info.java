/**
 * Connector to Kubernetes. Jobs are held by their suspend switch and placed by node affinity. The supported kinds are
 * listed in {@link dev.spur.connectors.kubernetes.WorkloadKinds}. The connector is stateless and uses no watches.
 */
@NullMarked
package dev.spur.connectors.kubernetes;

import org.jspecify.annotations.NullMarked;
