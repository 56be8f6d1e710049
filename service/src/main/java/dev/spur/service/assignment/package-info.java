/**
 * Assignments of jobs to executors: rows, states and permitted transitions. A device belongs to one generation of one
 * job at a time.
 */
@NullMarked
package dev.spur.service.assignment;

import org.jspecify.annotations.NullMarked;
