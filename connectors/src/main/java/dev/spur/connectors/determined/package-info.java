/**
 * Connector to Determined AI through the REST API of its master. The documented behavior of the master comes from the
 * source of version 0.38; the connector was never run against a real cluster.
 */
@NullMarked
package dev.spur.connectors.determined;

import org.jspecify.annotations.NullMarked;
