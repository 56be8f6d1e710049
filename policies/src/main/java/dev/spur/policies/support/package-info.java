/** Parts shared by published policies: a view of the round by partitions of equal nodes, slot grants, and placement. */
@NullMarked
package dev.spur.policies.support;

import org.jspecify.annotations.NullMarked;
