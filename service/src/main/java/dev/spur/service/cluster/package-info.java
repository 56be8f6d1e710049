/**
 * The cluster that operators administer: settings, pools, nodes, accelerator types, tenants, maintenance windows,
 * reservations, the health of devices, and resource usage.
 */
@NullMarked
package dev.spur.service.cluster;

import org.jspecify.annotations.NullMarked;
