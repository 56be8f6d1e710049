/**
 * Data preparations: submission, views and lifecycle. Scheduling rounds decide which preparations run and which nodes
 * lend them memory.
 */
@NullMarked
package dev.spur.service.dataprep.api;

import org.jspecify.annotations.NullMarked;
