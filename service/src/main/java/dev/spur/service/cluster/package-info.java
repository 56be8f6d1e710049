/**
 * The cluster that operators administer: pools, nodes, accelerator types, tenants, maintenance windows, reservations,
 * and the health of devices.
 */
@NullMarked
package dev.spur.service.cluster;

import org.jspecify.annotations.NullMarked;
