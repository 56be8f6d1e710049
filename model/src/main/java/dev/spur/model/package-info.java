/**
 * What Spur plans with: the cluster, the jobs, the problem of one round and its plan, and the judge of plans. Nothing
 * here solves, stores or serves anything; every type is immutable and every number has a stated unit.
 */
@NullMarked
package dev.spur.model;

import org.jspecify.annotations.NullMarked;
