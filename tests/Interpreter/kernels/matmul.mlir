// Matrix product in 64x64 tiles, 32 of K at a time, as Triton's third tutorial has it, without grouping.
tile.func @matmul(%a: !tile.ptr<f16> {tile.name = "a_ptr"}, %b: !tile.ptr<f16> {tile.name = "b_ptr"}, %c: !tile.ptr<f16> {tile.name = "c_ptr"},
                  %m: si32 {tile.name = "M"}, %n: si32 {tile.name = "N"}, %k: si32 {tile.name = "K"}) {
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = tile.constant 0 : si32
  %c1 = tile.constant 1 : si32
  %c31 = tile.constant 31 : si32
  %c32 = tile.constant 32 : si32
  %c64 = tile.constant 64 : si32
  %range64 = tile.make_range 0 to 64 : !tile.tile<64xsi32>
  %range32 = tile.make_range 0 to 32 : !tile.tile<32xsi32>
  %m0 = tile.mul %pm, %c64 : si32
  %n0 = tile.mul %pn, %c64 : si32
  %m0s = tile.splat %m0 : si32 -> !tile.tile<64xsi32>
  %n0s = tile.splat %n0 : si32 -> !tile.tile<64xsi32>
  %rm = tile.add %m0s, %range64 : !tile.tile<64xsi32>
  %rn = tile.add %n0s, %range64 : !tile.tile<64xsi32>
  %rm1 = tile.expand_dims %rm axis 1 : !tile.tile<64xsi32> -> !tile.tile<64x1xsi32>
  %rn1 = tile.expand_dims %rn axis 0 : !tile.tile<64xsi32> -> !tile.tile<1x64xsi32>
  %rka = tile.expand_dims %range32 axis 0 : !tile.tile<32xsi32> -> !tile.tile<1x32xsi32>
  %rkb = tile.expand_dims %range32 axis 1 : !tile.tile<32xsi32> -> !tile.tile<32x1xsi32>
  %ks = tile.splat %k : si32 -> !tile.tile<64x1xsi32>
  %rowa = tile.mul %rm1, %ks : !tile.tile<64x1xsi32>
  %rowab = tile.broadcast %rowa : !tile.tile<64x1xsi32> -> !tile.tile<64x32xsi32>
  %cola = tile.broadcast %rka : !tile.tile<1x32xsi32> -> !tile.tile<64x32xsi32>
  %offa = tile.add %rowab, %cola : !tile.tile<64x32xsi32>
  %as = tile.splat %a : !tile.ptr<f16> -> !tile.tile<64x32x!tile.ptr<f16>>
  %pa = tile.addptr %as, %offa : !tile.tile<64x32x!tile.ptr<f16>>, !tile.tile<64x32xsi32>
  %ns = tile.splat %n : si32 -> !tile.tile<32x1xsi32>
  %rowb = tile.mul %rkb, %ns : !tile.tile<32x1xsi32>
  %rowbb = tile.broadcast %rowb : !tile.tile<32x1xsi32> -> !tile.tile<32x64xsi32>
  %colb = tile.broadcast %rn1 : !tile.tile<1x64xsi32> -> !tile.tile<32x64xsi32>
  %offb = tile.add %rowbb, %colb : !tile.tile<32x64xsi32>
  %bs = tile.splat %b : !tile.ptr<f16> -> !tile.tile<32x64x!tile.ptr<f16>>
  %pb = tile.addptr %bs, %offb : !tile.tile<32x64x!tile.ptr<f16>>, !tile.tile<32x64xsi32>
  %zero = tile.constant 0.0 : f32 -> !tile.tile<64x64xf32>
  %zeroa = tile.constant 0.0 : f16 -> !tile.tile<64x32xf16>
  %zerob = tile.constant 0.0 : f16 -> !tile.tile<32x64xf16>
  %kk = tile.add %k, %c31 : si32
  %steps = tile.div %kk, %c32 : si32
  %bstep = tile.mul %n, %c32 : si32
  %astep = tile.splat %c32 : si32 -> !tile.tile<64x32xsi32>
  %bsteps = tile.splat %bstep : si32 -> !tile.tile<32x64xsi32>
  %acc:3 = tile.for %i = %c0 to %steps step %c1 iter_args(%s = %zero, %ap = %pa, %bp = %pb) -> (!tile.tile<64x64xf32>, !tile.tile<64x32x!tile.ptr<f16>>, !tile.tile<32x64x!tile.ptr<f16>>) : si32 {
    %done = tile.mul %i, %c32 : si32
    %left = tile.sub %k, %done : si32
    %lefta = tile.splat %left : si32 -> !tile.tile<1x32xsi32>
    %ma = tile.cmp lt, %rka, %lefta : !tile.tile<1x32xsi32>
    %maska = tile.broadcast %ma : !tile.tile<1x32xi1> -> !tile.tile<64x32xi1>
    %va = tile.load %ap, %maska, %zeroa : !tile.tile<64x32x!tile.ptr<f16>>
    %leftb = tile.splat %left : si32 -> !tile.tile<32x1xsi32>
    %mb = tile.cmp lt, %rkb, %leftb : !tile.tile<32x1xsi32>
    %maskb = tile.broadcast %mb : !tile.tile<32x1xi1> -> !tile.tile<32x64xi1>
    %vb = tile.load %bp, %maskb, %zerob : !tile.tile<32x64x!tile.ptr<f16>>
    %s1 = tile.dot %va, %vb, %s tf32 : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
    %ap1 = tile.addptr %ap, %astep : !tile.tile<64x32x!tile.ptr<f16>>, !tile.tile<64x32xsi32>
    %bp1 = tile.addptr %bp, %bsteps : !tile.tile<32x64x!tile.ptr<f16>>, !tile.tile<32x64xsi32>
    tile.yield %s1, %ap1, %bp1 : !tile.tile<64x64xf32>, !tile.tile<64x32x!tile.ptr<f16>>, !tile.tile<32x64x!tile.ptr<f16>>
  }
  %h = tile.cast %acc#0 : !tile.tile<64x64xf32> -> !tile.tile<64x64xf16>
  %nsc = tile.splat %n : si32 -> !tile.tile<64x1xsi32>
  %rowc = tile.mul %rm1, %nsc : !tile.tile<64x1xsi32>
  %rowcb = tile.broadcast %rowc : !tile.tile<64x1xsi32> -> !tile.tile<64x64xsi32>
  %colc = tile.broadcast %rn1 : !tile.tile<1x64xsi32> -> !tile.tile<64x64xsi32>
  %offc = tile.add %rowcb, %colc : !tile.tile<64x64xsi32>
  %cs = tile.splat %c : !tile.ptr<f16> -> !tile.tile<64x64x!tile.ptr<f16>>
  %pc = tile.addptr %cs, %offc : !tile.tile<64x64x!tile.ptr<f16>>, !tile.tile<64x64xsi32>
  %ms = tile.splat %m : si32 -> !tile.tile<64x1xsi32>
  %inm = tile.cmp lt, %rm1, %ms : !tile.tile<64x1xsi32>
  %nn = tile.splat %n : si32 -> !tile.tile<1x64xsi32>
  %inn = tile.cmp lt, %rn1, %nn : !tile.tile<1x64xsi32>
  %inmb = tile.broadcast %inm : !tile.tile<64x1xi1> -> !tile.tile<64x64xi1>
  %innb = tile.broadcast %inn : !tile.tile<1x64xi1> -> !tile.tile<64x64xi1>
  %maskc = tile.and %inmb, %innb : !tile.tile<64x64xi1>
  tile.store %pc, %h, %maskc : !tile.tile<64x64x!tile.ptr<f16>>
  tile.return
}
