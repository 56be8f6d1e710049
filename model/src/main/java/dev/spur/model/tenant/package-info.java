/**
 * Who shares the cluster: a tree of tenants with weights and quotas. Rules of borrowing and lending are stated in
 * {@link dev.spur.model.tenant.QuotaTree}; nothing here knows a job's content.
 */
@NullMarked
package dev.spur.model.tenant;

import org.jspecify.annotations.NullMarked;
