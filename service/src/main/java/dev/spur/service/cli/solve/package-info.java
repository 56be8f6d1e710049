/**
 * Plans a saved round from the command line, without a service: reads it by the rules of the contract, plans, judges
 * and prints. Nothing here starts Spring or asks a database.
 */
@NullMarked
package dev.spur.service.cli.solve;

import org.jspecify.annotations.NullMarked;
