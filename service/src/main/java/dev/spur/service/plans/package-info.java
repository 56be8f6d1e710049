/**
 * Published plans and the input of rounds. A plan has a document, a difference from another plan, and a feed on which
 * executors wait for it. The input is a consistent snapshot of cluster and jobs. The lease of the planner and the
 * records of past rounds are here, too. Computation of plans belongs to other packages.
 */
@NullMarked
package dev.spur.service.plans;

import org.jspecify.annotations.NullMarked;
