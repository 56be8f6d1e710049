/**
 * What several tests of the service share: one context with a database of its own, a cluster to plan for, a fake
 * policy.
 */
@NullMarked
package dev.spur.service.testing;

import org.jspecify.annotations.NullMarked;
