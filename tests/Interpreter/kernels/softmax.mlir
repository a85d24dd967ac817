// Fused softmax: each program takes the rows that are num_programs apart.
tile.func @softmax(%out: !tile.ptr<f32> {tile.name = "output_ptr"}, %in: !tile.ptr<f32> {tile.name = "input_ptr"},
                   %in_stride: si32 {tile.name = "input_row_stride"},
                   %out_stride: si32 {tile.name = "output_row_stride"}, %rows: si32 {tile.name = "n_rows"},
                   %cols: si32 {tile.name = "n_cols"}) {
  %first = tile.program_id x
  %step = tile.num_programs x
  %range = tile.make_range 0 to 1024 : !tile.tile<1024xsi32>
  %limit = tile.splat %cols : si32 -> !tile.tile<1024xsi32>
  %mask = tile.cmp lt, %range, %limit : !tile.tile<1024xsi32>
  %inf = tile.constant 0xFF800000 : f32 -> !tile.tile<1024xf32>
  tile.for %row = %first to %rows step %step : si32 {
    %o = tile.mul %row, %in_stride : si32
    %p = tile.addptr %in, %o : !tile.ptr<f32>, si32
    %ps = tile.splat %p : !tile.ptr<f32> -> !tile.tile<1024x!tile.ptr<f32>>
    %ptrs = tile.addptr %ps, %range : !tile.tile<1024x!tile.ptr<f32>>, !tile.tile<1024xsi32>
    %x = tile.load %ptrs, %mask, %inf : !tile.tile<1024x!tile.ptr<f32>>
    %max = tile.reduce %x axis 0 : !tile.tile<1024xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %c = tile.max %a, %b : f32
      tile.yield %c : f32
    }
    %maxs = tile.splat %max : f32 -> !tile.tile<1024xf32>
    %d = tile.sub %x, %maxs : !tile.tile<1024xf32>
    %e = tile.exp %d : !tile.tile<1024xf32>
    %sum = tile.reduce %e axis 0 : !tile.tile<1024xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %c = tile.add %a, %b : f32
      tile.yield %c : f32
    }
    %sums = tile.splat %sum : f32 -> !tile.tile<1024xf32>
    %q = tile.div %e, %sums : !tile.tile<1024xf32>
    %oo = tile.mul %row, %out_stride : si32
    %op = tile.addptr %out, %oo : !tile.ptr<f32>, si32
    %ops = tile.splat %op : !tile.ptr<f32> -> !tile.tile<1024x!tile.ptr<f32>>
    %optrs = tile.addptr %ops, %range : !tile.tile<1024x!tile.ptr<f32>>, !tile.tile<1024xsi32>
    tile.store %optrs, %q, %mask : !tile.tile<1024x!tile.ptr<f32>>
    tile.yield
  }
  tile.return
}
