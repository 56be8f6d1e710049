/**
 * Policies that turn the problem of a round into a plan, under one interface. A policy is a pure function of the
 * problem: it does no I/O and reads no clock except the one that stops a late solve.
 */
@NullMarked
package dev.spur.solver.policy;

import org.jspecify.annotations.NullMarked;
