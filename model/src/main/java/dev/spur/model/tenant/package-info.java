/**
 * The tree of tenants that share the cluster, with their weights and quotas. The rules of borrowing and lending are in
 * {@code model.quota}.
 */
@NullMarked
package dev.spur.model.tenant;

import org.jspecify.annotations.NullMarked;
