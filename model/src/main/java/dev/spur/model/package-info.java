/**
 * The domain model: the cluster, the jobs, the optimization problem of one scheduling round, its plan, and the plan
 * validator. The module contains no solver, storage or server code. Every type is immutable and every number has a
 * stated unit.
 */
@NullMarked
package dev.spur.model;

import org.jspecify.annotations.NullMarked;
