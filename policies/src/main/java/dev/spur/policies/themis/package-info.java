/** Themis: finish-time fairness by auctions of leases (Mahajan et al., NSDI '20). */
@NullMarked
package dev.spur.policies.themis;

import org.jspecify.annotations.NullMarked;
