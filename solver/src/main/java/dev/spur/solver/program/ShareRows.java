package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.job.Elasticity;
import java.util.List;

/** Rows that relax the packing of shares into devices; the placement decides the packing. */
final class ShareRows {
    /** Number of shares of {@code parts} each. */
    record Shares(IntVar count, int parts) {}

    private final CpModel model;
    private final List<Shares> shares;
    private final List<IntVar> devices;
    private final List<Integer> rooms;

    private ShareRows(CpModel model, List<Shares> shares, List<IntVar> devices, List<Integer> rooms) {
        this.model = model;
        this.shares = shares;
        this.devices = devices;
        this.rooms = rooms;
    }

    /**
     * Adds the rows.
     *
     * @param devices numbers of devices that only {@code shares} take
     * @param rooms free parts of the devices that fixed jobs share
     */
    static void add(CpModel model, List<Shares> shares, List<IntVar> devices, List<Integer> rooms) {
        ShareRows rows = new ShareRows(model, shares, devices, rooms);
        rows.partsAreNotOversubscribed();
        shares.stream().map(Shares::parts).distinct().forEach(rows::sharesFit);
    }

    /** Parts of the shares <= parts of the devices. */
    private void partsAreNotOversubscribed() {
        LinearExprBuilder parts = LinearExpr.newBuilder();
        shares.forEach(share -> parts.addTerm(share.count(), share.parts()));
        devices.forEach(device -> parts.addTerm(device, -Elasticity.PARTS));
        RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(parts, inRooms(rooms, 1)));
    }

    /** Shares of at least {@code least} parts <= the number that the devices hold. */
    private void sharesFit(int least) {
        LinearExprBuilder count = LinearExpr.newBuilder();
        shares.stream().filter(share -> share.parts() >= least).forEach(share -> count.addTerm(share.count(), 1));
        devices.forEach(device -> count.addTerm(device, -(Elasticity.PARTS / least)));
        RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(count, inRooms(rooms, least)));
    }

    /** Returns how many shares of {@code parts} the devices with {@code rooms} hold. */
    private static int inRooms(List<Integer> rooms, int parts) {
        return rooms.stream().mapToInt(room -> room / parts).sum();
    }
}
