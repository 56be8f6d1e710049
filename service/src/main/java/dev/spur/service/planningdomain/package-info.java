/**
 * How the state is divided among planning domains: who plans which job, and how much of common quotas each may use.
 * What is decided here is held against the rows again when a plan is published.
 */
@NullMarked
package dev.spur.service.planningdomain;

import org.jspecify.annotations.NullMarked;
