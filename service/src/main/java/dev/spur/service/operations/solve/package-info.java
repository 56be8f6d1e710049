/**
 * Solves a round snapshot from the command line without a service: reads it by the rules of the contract, plans,
 * validates and prints. This package uses neither Spring nor a database.
 */
@NullMarked
package dev.spur.service.operations.solve;

import org.jspecify.annotations.NullMarked;
