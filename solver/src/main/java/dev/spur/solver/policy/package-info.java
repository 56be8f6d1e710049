/**
 * All ways to turn the problem of a round into a plan, under one interface. A policy is a pure function of the problem:
 * it does no I/O and reads no clock but the one that cuts a late solve.
 */
@NullMarked
package dev.spur.solver.policy;

import org.jspecify.annotations.NullMarked;
